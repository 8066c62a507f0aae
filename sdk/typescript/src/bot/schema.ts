/** A JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** What is wrong with a value, if it does not match a schema. */
export type Check = (value: unknown) => string | undefined;

/**
 * The type of what a schema describes, where the schema is written out in the call that uses it. What this
 * type does not understand is `any`.
 */
export type FromSchema<Schema> =
  Schema extends { enum: readonly (infer Word)[] } ? Word
  : Schema extends { type: "string" } ? string
  : Schema extends { type: "integer" | "number" } ? number
  : Schema extends { type: "boolean" } ? boolean
  : Schema extends { type: "null" } ? null
  : Schema extends { type: "array"; items: infer Items } ? FromSchema<Items>[]
  : Schema extends { type: "object"; properties: infer Members } ? FromMembers<Members, RequiredNames<Schema>>
  : any;

type RequiredNames<Schema> = Schema extends { required: readonly (infer Name)[] } ? Name : never;

type FromMembers<Members, Required> = {
  [Name in keyof Members as Name extends Required ? Name : never]: FromSchema<Members[Name]>;
} & {
  [Name in keyof Members as Name extends Required ? never : Name]?: FromSchema<Members[Name]>;
};
