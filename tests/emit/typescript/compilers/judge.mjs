// Judge instances by the schemas of a compiled tool list: node judge.mjs TOOLS.js INSTANCES.json
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Draft07 from "ajv";
import Draft2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const [compiled, asked] = process.argv.slice(2);
const { tools } = await import(pathToFileURL(resolve(compiled)));
// Formats of OpenAPI that ajv-formats asserts, and JSON Schema does not have.
const FOREIGN = ["int32", "int64", "float", "double", "byte", "binary", "password"];
const instances = JSON.parse(readFileSync(asked, "utf8"));
const verdicts = {};
for (const tool of tools) {
  const isOld = String(tool.inputSchema.$schema ?? "").includes("draft-07");
  const Ajv = isOld ? Draft07.default : Draft2020.default;
  const ajv = new Ajv({ strict: false, logger: false, multipleOfPrecision: 9 });
  addFormats.default(ajv);
  FOREIGN.forEach((name) => ajv.addFormat(name, true));
  try {
    const accepts = ajv.compile(tool.inputSchema);
    verdicts[tool.name] = (instances[tool.name] ?? []).map((each) => accepts(each));
  } catch (problem) {
    verdicts[tool.name] = String(problem);
  }
}
process.stdout.write(JSON.stringify(verdicts));
