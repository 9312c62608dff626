// The suite names `fs.globSync`, which Node has since 22, in a command that no test runs.
import { register } from "node:module";

const wrapper = `
export * from "node:fs";
export { default } from "node:fs";
export function globSync() { throw new Error("this needs Node 22"); }
`;
const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier !== "fs" || !context.parentURL?.includes("/conformance/")) return next(specifier, context);
  return { url: "data:text/javascript," + ${JSON.stringify(encodeURIComponent(wrapper))}, shortCircuit: true };
}
`;
register("data:text/javascript," + encodeURIComponent(hooks));
