import { SvcError } from "../error.js";
import type { Answers, Requests } from "../schemas.js";
import type { Svc } from "../svc.js";
import { canonical } from "./canonical.js";
import { checkOf } from "./check.js";
import type { Ctx } from "./ctx.js";
import type { Log } from "./outage.js";
import type { Check, FromSchema, JsonSchema } from "./schema.js";

/** The words of `OnCrash`. */
export const ON_CRASH: readonly OnCrash[] = ["error", "reject", "rerun"];

/** What happens to an order whose handler was interrupted by a crash. */
export type OnCrash =
  /** The buyer gets an error and pays nothing. */
  | "error"
  /** The order is declined. */
  | "reject"
  /** The handler runs again: at most 3 times in all, then as with `error`. */
  | "rerun";

/** A service as the bot offers it. */
export interface ServiceOptions<Input extends JsonSchema = JsonSchema, Output extends JsonSchema = JsonSchema> {
  /** Price in credits: 0, which is free, by default. */
  price?: number;
  /** For people; the name by default. */
  description?: string;
  /** JSON Schema of the input; the server refuses orders that do not match. */
  input?: Input;
  /** JSON Schema of the output. An output that does not match is answered with an error, at no cost. */
  output?: Output;
  tags?: string[];
  /** What kind of work it is. Without it, the category on the server stays. */
  category?: Requests["ServiceCategory"];
  /** Languages that it works in, such as `en` or `pt-BR`. Without them, those on the server stay. */
  languages?: string[];
  /** Until when the buyer may cancel: until the bot begins (`explicit`, the default), or never (`implicit`). */
  acceptance?: "explicit" | "implicit";
  /** From this price on, an escrow must pay; orders without one are rejected. */
  escrowFrom?: number;
  /** `error` by default. */
  onCrash?: OnCrash;
  /** Time for a run of the handler, in milliseconds: 60,000 by default. Questions to the buyer need more. */
  timeout?: number;
}

/** Works on an order. Its output is an object, or `undefined` for an empty one. */
export type Handler<Input extends JsonSchema = JsonSchema, Output extends JsonSchema = JsonSchema> = (
  cx: Ctx,
  input: FromSchema<Input>,
) => FromSchema<Output> | Promise<FromSchema<Output>>;

/** Thrown by a handler to decline the order: the buyer reads the reason and pays nothing. */
export class Reject extends Error {
  override readonly name = "Reject";
}

/** A service as the code declares it. */
export interface Declared {
  name: string;
  options: ServiceOptions & { price: number };
  handler: Handler;
}

/** A service with the check of its outputs. */
export interface Offer extends Declared {
  check: Check;
}

/** Whether an order must come with an escrow. */
export function needsEscrow({ price, escrowFrom }: Declared["options"]): boolean {
  return escrowFrom !== undefined && price >= escrowFrom;
}

/** Prepares the check of the outputs of a service, and logs what it leaves out. */
export async function checked(declared: Declared, log: Log): Promise<Offer> {
  const { output } = declared.options;
  if (output === undefined) return { ...declared, check: () => undefined };
  try {
    const { check, gap } = await checkOf(output);
    if (gap !== undefined) log(`the output of the service ${declared.name} ${gap}`);
    return { ...declared, check };
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    const text = `the output of the service ${declared.name} is no JSON Schema: ${(cause as Error).message}`;
    throw new SvcError(text, { code: "config", outcome: "not_sent", cause });
  }
}

/** Offers the services as the code describes them, unless the signal ends it; the answer is each by its id. */
export async function publish(svc: Svc, offers: readonly Offer[], signal: AbortSignal): Promise<Map<string, Offer>> {
  const { services } = await svc.services.list({ signal });
  const byId = new Map<string, Offer>();
  for (const offer of offers) {
    const alike = services.filter(({ name }) => nameKey(name) === nameKey(offer.name));
    const published = alike.find(({ name }) => name === offer.name) ?? alike[0];
    byId.set(await publishOne(svc, offer, signal, published), offer);
  }
  return byId;
}

/** On the platform, names that differ in case or in the composition of their characters are the same name. */
export function nameKey(name: string): string {
  return name.toLowerCase().normalize("NFC");
}

async function publishOne(
  svc: Svc,
  offer: Offer,
  signal: AbortSignal,
  published?: Answers["Service"],
): Promise<string> {
  const { name, options } = offer;
  const description = options.description ?? name;
  const wanted = {
    inputSchema: options.input ?? {},
    outputSchema: options.output ?? {},
    tags: options.tags ?? [],
    ...(options.languages && { languages: options.languages }),
    ...(options.category && { category: options.category }),
    acceptance: options.acceptance ?? "explicit",
    active: true,
  } as const;
  if (published === undefined) {
    return (await svc.services.create(name, description, options.price, { ...wanted, signal })).service.id;
  }
  const all = { name, description, priceCredits: options.price, ...wanted };
  const differs = ([member, value]: [string, unknown]) => {
    const found = (published as Record<string, unknown>)[member] ?? {};
    return canonical(found) !== canonical(value);
  };
  const changes = Object.fromEntries(Object.entries(all).filter(differs));
  if (Object.keys(changes).length > 0) await svc.services.update(published.id, { ...changes, signal });
  return published.id;
}
