"""R38x and R39x of ``resolve``: the bodies and options of tools."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning
from brimgen.diagnostics.rules.examples import prompt, resource, statement, tool
from brimgen_runtime.grammar.rule_messages import MESSAGES

_NAMED = "arguments: {inline: {name: string}}\n"

UNKNOWN_CONNECTION = error(
    "R381",
    "unknown-connection",
    "there is no connection `{name}`{among}",
    "`connection` names an entry of `connections` in the configuration; without it, the entry "
    "`default` is used.",
    wrong="type: sql_function\nname: f\nconnection: warehuose\nreturns: object[]\nsql: SELECT 1",
    right="type: sql_function\nname: f\nconnection: warehouse\nreturns: object[]\nsql: SELECT 1",
)
BAD_HANDLER = error(
    "R382",
    "bad-handler",
    "`{handler}` is not a valid handler",
    "A handler is `package.module:function`: the module as it is imported, a colon, and "
    "the name of the function.",
    wrong="type: python_function\nname: f\nhandler: shop/orders.py",
    right="type: python_function\nname: f\nhandler: shop.orders:place_order",
)
PATH_WITHOUT_ARGUMENTS = error(
    "R383",
    "path-without-arguments",
    "the path has `{{{name}}}`, but there are no `arguments`",
    "Every placeholder in a path must be a declared argument.",
    wrong="type: resource\nname: page\npath: /docs/{page}",
    right="type: resource\nname: page\npath: /docs/{page}\n"
    "arguments: {inline: {page: string}}",
)
UNDECLARED_PLACEHOLDER = error(
    "R384",
    "undeclared-placeholder",
    "the path has `{{{name}}}`, which is not an argument",
    "Declare it under `arguments`, or correct the name.",
    wrong="type: resource\nname: page\npath: /docs/{pgae}\n"
    "arguments: {inline: {page: string}}",
    right="type: resource\nname: page\npath: /docs/{page}\n"
    "arguments: {inline: {page: string}}",
)
HIDDEN_PLACEHOLDER = error(
    "R385",
    "hidden-placeholder",
    "`{name}` stands in the path, so it cannot be hidden from the caller",
    "A path is what the caller writes. Take the name out of the path, or remove `from_context` "
    "or `llm: false`.",
    wrong=resource(
        "path: /users/{id}\n"
        "arguments: {inline: {id: {type: int, from_context: app.user.id}}}"
    ),
    right=resource("path: /users/{id}\narguments: {inline: {id: int}}"),
)
BAD_PLACEHOLDER_TYPE = error(
    "R386",
    "bad-placeholder-type",
    "`{name}` stands in the path, so it must be {expected}, not {actual}",
    "A segment is text, parsed by a plain type. The rest of a path (`{x*}`) is `string`, "
    "`splat`, `remainder` or `string[]`.",
    wrong=resource("path: /docs/{page}\narguments: {inline: {page: 'int[]'}}"),
    right=resource("path: /docs/{page}\narguments: {inline: {page: int}}"),
)
OPTIONAL_PLACEHOLDER = error(
    "R387",
    "optional-placeholder",
    "`{name}` stands in the path, so it cannot be optional",
    "A path always contains all its segments. Remove the default, `required: false` or `?`.",
    wrong=resource(
        "path: /docs/{page}\narguments: {inline: {page: {type: int, default: 1}}}"
    ),
    right=resource("path: /docs/{page}\narguments: {inline: {page: int}}"),
)
BAD_PATH = error(
    "R388",
    "bad-path",
    "the path is not well formed: {reason}",
    "A path starts with `/`; between two slashes stands plain text or one `{name}`; "
    "`{name*}` stands last and only once.",
    wrong=resource(
        "path: /docs/{rest*}/{page}\narguments: {inline: {page: int, rest: string}}"
    ),
    right=resource(
        "path: /docs/{page}/{rest*}\narguments: {inline: {page: int, rest: string}}"
    ),
)
BAD_SLUG = error(
    "R389",
    "bad-slug",
    MESSAGES["R389"],
    "A slug has 1 to 64 letters, digits and dashes; a version may have dots as well.",
    wrong=tool("slug: read_file"),
    right=tool("slug: read-file"),
)
UNDECLARED_IN_TEMPLATE = error(
    "R391",
    "undeclared-in-template",
    "the template uses `{name}`, which is not an argument",
    "A template sees only `args`: write `{{ args.x }}` for the argument `x`.",
    wrong=prompt(
        "arguments: {inline: {name: string}}\ntemplate: 'Hello {{ args.nmae }}'"
    ),
    right=prompt(
        "arguments: {inline: {name: string}}\ntemplate: 'Hello {{ args.name }}'"
    ),
)
BARE_IN_TEMPLATE = warning(
    "R392",
    "bare-in-template",
    "the template uses `{name}` without `args.`",
    "Write `{{ args.x }}`. A bare name is accepted for now.",
    wrong=prompt("arguments: {inline: {name: string}}\ntemplate: 'Hello {{ name }}'"),
    right=prompt(
        "arguments: {inline: {name: string}}\ntemplate: 'Hello {{ args.name }}'"
    ),
)
BAD_TEMPLATE = error(
    "R393",
    "bad-template",
    "the template cannot be read: {reason}",
    "Templates are Jinja templates: `{{ args.name }}` prints an argument, `{% if %}` and "
    "`{% for %}` end with `{% endif %}` and `{% endfor %}`. `brimgen explain T480` lists the "
    "filters and tests.",
    wrong=prompt(_NAMED + "template: 'Hello {{ args.name'"),
    right=prompt(_NAMED + "template: 'Hello {{ args.name }}'"),
)
FORBIDDEN_IN_TEMPLATE = error(
    "R394",
    "forbidden-in-template",
    "a template cannot use {what}",
    "A prompt template only prints its arguments: it loads no other file and reaches no "
    "attribute with a leading underscore.",
    wrong=prompt(
        _NAMED + "template: 'Hello {{ args.name }}{% include \"other.md\" %}'"
    ),
    right=prompt(_NAMED + "template: 'Hello {{ args.name }}'"),
)
NO_SUCH_MEMBER_IN_TEMPLATE = error(
    "R395",
    "no-such-member-in-template",
    "`{name}` has no `{member}`",
    "Members are looked up in the type of the argument: the fields of an entity, or what every "
    "value of the type has, such as `args.name.upper()`.",
    wrong=prompt(
        "arguments: {inline: {at: Address}}\ntemplate: 'Ship to {{ args.at.town }}'",
        "Address",
    ),
    right=prompt(
        "arguments: {inline: {at: Address}}\ntemplate: 'Ship to {{ args.at.city }}'",
        "Address",
    ),
)
BAD_BIND = error(
    "R396",
    "bad-bind",
    "`bind: {value}` is not possible here: {reason}",
    "`bind: json` sends an object, entity or list to the database as JSON text.",
    wrong=statement(
        "arguments: {inline: {n: {type: int, bind: json}}}\n"
        "returns: object[]\nsql: SELECT :n"
    ),
    right=statement(
        "arguments: {inline: {at: {type: Address, bind: json}}}\n"
        "returns: object[]\nsql: SELECT :at",
        "Address",
    ),
)

RULES = (
    UNKNOWN_CONNECTION,
    BAD_HANDLER,
    PATH_WITHOUT_ARGUMENTS,
    UNDECLARED_PLACEHOLDER,
    HIDDEN_PLACEHOLDER,
    BAD_PLACEHOLDER_TYPE,
    OPTIONAL_PLACEHOLDER,
    BAD_PATH,
    BAD_SLUG,
    UNDECLARED_IN_TEMPLATE,
    BARE_IN_TEMPLATE,
    BAD_TEMPLATE,
    FORBIDDEN_IN_TEMPLATE,
    NO_SUCH_MEMBER_IN_TEMPLATE,
    BAD_BIND,
)
