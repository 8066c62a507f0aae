#!/usr/bin/env node
// Starts the program of this platform, which is a package of its own: npm installs only the one that fits.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

const require = createRequire(import.meta.url);
const { name, bin } = require("./package.json");
const [program] = Object.keys(bin);
const platform = `${name}-${process.platform}-${process.arch}`;

function find() {
  const file = process.platform === "win32" ? `${program}.exe` : program;
  try {
    return require.resolve(`${platform}/bin/${file}`);
  } catch {
    console.error(`error: the package ${platform} is not installed`);
    console.error("hint: install without --omit=optional; if your platform has none, cargo install builds it");
    process.exit(1);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" });
// A terminal sends its signals to both. Others, such as those of a service manager, reach only this process.
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
  process.on(signal, () => process.stdin.isTTY || child.kill(signal));
}
child.on("error", ({ message }) => {
  console.error(`error: ${program} does not start: ${message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
