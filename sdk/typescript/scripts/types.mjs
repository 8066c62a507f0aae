// Writes the types of requests and answers from the document: `src/openapi/*.ts`. In answers an enum
// takes any other text as well, so that an old SDK reads a newer server.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import openapi, { astToString } from "openapi-typescript";
import ts from "typescript";

const root = new URL("..", import.meta.url);
const document = JSON.parse(await readFile(new URL("../../openapi/openapi.json", root), "utf8"));
delete document.paths;
delete document.webhooks;
document.components = { schemas: document.components.schemas };

/** `"open" | "working" | (string & {})` for an enum of several words. */
function opened(schema) {
  if (!Array.isArray(schema.enum) || schema.enum.length < 2 || schema.type !== "string") return undefined;
  const words = schema.enum.map((word) =>
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(word)),
  );
  const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const other = ts.factory.createIntersectionTypeNode([text, ts.factory.createTypeLiteralNode([])]);
  return ts.factory.createUnionTypeNode([...words, ts.factory.createParenthesizedType(other)]);
}

await mkdir(new URL("src/openapi/", root), { recursive: true });
for (const [name, transform] of [["requests", undefined], ["answers", opened]]) {
  const types = await openapi(structuredClone(document), { transform });
  const text = `// Types of ${name}: written by \`npm run types\`; do not edit.\n\n${astToString(types)}`;
  await writeFile(new URL(`src/openapi/${name}.ts`, root), text);
}
