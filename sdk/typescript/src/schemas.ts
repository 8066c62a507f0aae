import type { components as answers } from "./openapi/answers.js";
import type { components as requests } from "./openapi/requests.js";

/** The schemas of answers by name. Enums take words that this version does not know. */
export type Answers = answers["schemas"];

/** The schemas of requests by name. */
export type Requests = requests["schemas"];
