// Call tools of a compiled list through a client that answers as it is told: node call.mjs TOOLS.js
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { callTool, ToolFailed } = await import(pathToFileURL(resolve(process.argv[2])));
const asked = [];
const client = (answer) => ({
  callTool: async (params) => {
    asked.push(params);
    return answer;
  },
});
const outcomes = [
  await callTool(client({ structuredContent: { id: 7 } }), "get_order", { id: 7 }),
  await callTool(client({ structuredContent: { result: ["a"] } }), "list_names", {}),
  (await callTool(client({ content: [] }), "forget", {})) ?? null,
];
try {
  await callTool(client({ isError: true, content: ["no"] }), "forget", {});
} catch (problem) {
  outcomes.push([problem instanceof ToolFailed, problem.tool, problem.content, problem.message]);
}
process.stdout.write(JSON.stringify({ asked, outcomes }));
