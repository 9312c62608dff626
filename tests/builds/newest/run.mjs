// node run.mjs MODULES PROJECT PACKAGES CALLS: runs newest.py in a CPython of WebAssembly. MODULES
// is the folder of `node_modules`, PROJECT the repository, PACKAGES where brimgen's own libraries
// lie, CALLS a JSON list of [tool, text of its arguments].
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, project, packages, calls] = process.argv.slice(2);
const { loadPyodide } = createRequire(`${modules}/`)("pyodide");
const python = await loadPyodide({ env: { CALLS: calls, HOME: "/" } });
python.mountNodeFS("/project", project);
python.mountNodeFS("/packages", packages);
try {
  python.runPython(readFileSync(new URL("newest.py", import.meta.url), "utf8"));
} catch (error) {
  // Node would print the line that threw: the whole of a minified file.
  console.error(error.message);
  process.exit(1);
}
