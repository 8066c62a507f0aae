// The check of the outputs of a service.

import { SvcError } from "../error.js";
import type { Check, JsonSchema } from "./schema.js";

/** The version that every schema has. */
const VERSION = "https://json-schema.org/draft/2020-12/schema";

/** A check, and what it leaves out. */
export interface Checked {
  check: Check;
  /** What is left out and why, as the end of a sentence about the output. */
  gap?: string;
}

const load = () => import("ajv/dist/2020.js");

/**
 * The check of a schema; throws if it is none. As to the server and to buyers, formats are notes, and every schema is
 * one of 2020-12, whatever its `$schema` says. The check leaves out what the server accepts and `ajv` can't compile,
 * such as the pattern `(?i)x`: the members with it, or everything.
 */
export async function checkOf(schema: JsonSchema, library = load): Promise<Checked> {
  // Only bots whose services have such schemas wait for it to be loaded.
  const { Ajv2020 } = await library().catch((cause: unknown) => {
    const text = "outputs are checked with the package ajv, which can't be loaded: run `npm install ajv@8`";
    throw new SvcError(text, { code: "config", outcome: "not_sent", cause });
  });
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const compile: Compile = (each) => {
    // A schema is compiled in several versions, so the `$id` of the one before must not count as taken. (Without
    // `addUsedSchema`, a schema that refers to itself would not compile.)
    ajv.removeSchema();
    const matches = ajv.compile({ ...each, $schema: VERSION });
    return (value) => (matches(value) ? undefined : ajv.errorsText(matches.errors, { dataVar: "" }).trim());
  };
  if (!ajv.validateSchema({ ...schema, $schema: VERSION })) throw new Error(ajv.errorsText(ajv.errors));
  try {
    return { check: compile(schema) };
  } catch (error) {
    return withGap(schema, compile, (error as Error).message);
  }
}

type Compile = (schema: JsonSchema) => Check;

/** The check without the members that can't be compiled. Elsewhere, less of a schema may match less, as in `not`. */
function withGap(schema: JsonSchema, compile: Compile, problem: string): Checked {
  const members = Object.entries((schema["properties"] ?? {}) as JsonSchema);
  const anything = Object.fromEntries(members.map(([name]) => [name, {}]));
  const isBad = ([name, member]: [string, unknown]) =>
    attempt(() => compile({ ...schema, properties: { ...anything, [name]: member } })) === undefined;
  const bad = new Set(members.filter(isBad).map(([name]) => name));
  const good = members.filter(([name]) => !bad.has(name));
  const properties = { ...anything, ...Object.fromEntries(good) };
  const check = attempt(() => compile({ ...schema, properties }));
  if (check === undefined) return { check: () => undefined, gap: `is not checked: ${problem}` };
  const names = [...bad].map((name) => JSON.stringify(name)).join(", ");
  return { check, gap: `is checked without the schema of ${names}: ${problem}` };
}

/** What a function returns, if it doesn't throw. */
function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
