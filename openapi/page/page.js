// The page is served at /docs and at /api/docs, the document at /api/openapi.json, and all of them
// may lie below a prefix of a proxy: hence addresses relative to the page.
const below_api = location.pathname.endsWith("/api/docs");

SwaggerUIBundle({
  dom_id: "#page",
  url: below_api ? "openapi.json" : "api/openapi.json",
  deepLinking: true,
  // The default asks a server of Swagger's to judge the document.
  validatorUrl: null,
});
