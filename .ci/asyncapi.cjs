// Fails on what the public AsyncAPI parser finds wrong with a document.
const { readFileSync } = require('node:fs');
const { Parser } = require('@asyncapi/parser');

const [file] = process.argv.slice(2);
new Parser().parse(readFileSync(file, 'utf8')).then(({ document, diagnostics }) => {
    const wrong = diagnostics.filter(({ severity }) => severity === 0);
    wrong.forEach(({ message, path }) => console.error(`${file}: ${path.join('/')}: ${message}`));
    process.exitCode = document && wrong.length === 0 ? 0 : 1;
});
