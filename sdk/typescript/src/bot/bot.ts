import { SvcError } from "../error.js";
import type { Settings } from "../sender.js";
import { Svc, settingsFromEnv } from "../svc.js";
import { FileJournal, type Journal } from "./journal.js";
import { warnOfOtherBots } from "./other-bots.js";
import { type Log, toStderr, untilAnswered } from "./outage.js";
import { Run } from "./run.js";
import type { JsonSchema } from "./schema.js";
import {
  checked, type Declared, type Handler, nameKey, type Offer, ON_CRASH, publish, type ServiceOptions,
} from "./service.js";

/** How a bot runs. */
export interface BotOptions {
  /** The file of the journal, or a journal of your own. */
  journal: string | Journal;
  /** How many handlers run at once: 16 by default, at least 1. */
  concurrency?: number;
  /** How long a stopping bot waits for its handlers, in milliseconds: 30,000 by default. */
  drain?: number;
  /** Where the bot says that it is open, and reports problems with their cause; stderr by default. */
  log?: (text: string, cause?: unknown) => void;
}

/**
 * A bot that sells services: it works on each order once, and answers each once, also when it is killed
 * at any moment and started again.
 */
export class Bot {
  readonly svc: Svc;
  readonly #options: BotOptions;
  readonly #journal: Journal;
  readonly #declared = new Map<string, Declared>();
  readonly #log: Log;
  #isRunning = false;

  constructor(svc: Svc, options: BotOptions) {
    this.svc = svc;
    this.#options = options;
    this.#log = options.log ?? toStderr;
    const { journal } = options;
    this.#journal = typeof journal === "string" ? new FileJournal(journal) : journal;
  }

  /** A bot by the environment: SVC_URL, SVC_API_KEY, SVC_ALLOW_PLAIN_HTTP. */
  static fromEnv(options: BotOptions & Partial<Settings>): Bot {
    const settings = settingsFromEnv(options);
    if (settings.apiKey === undefined) {
      throw misused("SVC_API_KEY is not set: it must be the key of the bot's account");
    }
    return new Bot(new Svc(settings), options);
  }

  /** Offers a service. It is published, or updated, when the bot starts. The schemas type the handler. */
  service<const Input extends JsonSchema, const Output extends JsonSchema>(
    name: string,
    options: ServiceOptions<Input, Output>,
    handler: Handler<Input, Output>,
  ): this {
    const { price = 0, onCrash = "error" } = options;
    if ([...this.#declared.keys()].some((other) => nameKey(other) === nameKey(name))) {
      throw misused(`there are two services of the name ${name}`);
    }
    if (!ON_CRASH.includes(onCrash)) throw misused(`onCrash of the service ${name} must be error, reject or rerun`);
    this.#declared.set(name, { name, options: { ...options, price }, handler: handler as Handler });
    return this;
  }

  /**
   * Works until the signal is aborted, or until SIGTERM or SIGINT; a second one ends it at once.
   *
   * @throws SvcError with code `config` while it is running.
   */
  async run(options: { signal?: AbortSignal } = {}): Promise<void> {
    // A second run would close the journal of the first one.
    if (this.#isRunning) throw misused("the bot is running already");
    this.#isRunning = true;
    const stop = new AbortController();
    const end = () => (stop.signal.aborted ? process.exit(130) : stop.abort());
    const signals = ["SIGTERM", "SIGINT"] as const;
    signals.forEach((name) => process.on(name, end));
    options.signal?.addEventListener("abort", () => stop.abort());
    if (options.signal?.aborted) stop.abort();
    try {
      const jobs = await this.#journal.open();
      const offers = await this.#opened(stop.signal);
      if (offers !== undefined) await new Run(this.svc, this.#journal, offers, this.#options, stop).all(jobs);
    } finally {
      signals.forEach((name) => process.off(name, end));
      await this.#journal.close();
      this.#isRunning = false;
    }
  }

  /** The services, once the server has them; none if the bot is stopped before. */
  async #opened(signal: AbortSignal): Promise<Map<string, Offer> | undefined> {
    const offers = await Promise.all([...this.#declared.values()].map((each) => checked(each, this.#log)));
    const publishing = () => publish(this.svc, offers, signal);
    try {
      const published = await untilAnswered(this.svc, publishing, signal, this.#log);
      await warnOfOtherBots(this.svc, this.#journal, signal, this.#log);
      this.#log(`open for orders: ${[...this.#declared.keys()].join(", ")}`);
      return published;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}

function misused(text: string): SvcError {
  return new SvcError(text, { code: "config", outcome: "not_sent" });
}
