// Visits an MCP server over stdio with one of the official TypeScript clients, and prints what it
// saw as JSON:  node visit.mjs FOLDER GENERATION MODE '{"server": {…}, "steps": [["callTool", {…}], …]}'
// FOLDER holds node_modules; GENERATION is v1 or v2; MODE is what v2 negotiates (legacy, auto).
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, generation, mode, plan] = process.argv.slice(2);
const { server, steps } = JSON.parse(plan);
const require = createRequire(pathToFileURL(`${folder}/package.json`));
const load = (name) => require(name);

const names = {
  v1: ["@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/stdio.js"],
  v2: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"],
}[generation];
const { Client } = load(names[0]);
const { StdioClientTransport } = load(names[1]);
const options = generation === "v2" ? { versionNegotiation: { mode } } : {};
const client = new Client({ name: "brimgen-tests", version: "1" }, options);
await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));

const seen = [];
for (const [method, given] of steps) {
  try {
    seen.push({ result: await client[method](given) });
  } catch (error) {
    seen.push({ error: { code: error.code ?? null, message: String(error.message) } });
  }
}
const revision = client.getNegotiatedProtocolVersion?.() ?? null;
process.stdout.write(JSON.stringify({ revision, seen }));
await client.close();
