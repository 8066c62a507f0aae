SwaggerUIBundle({
  dom_id: "#page",
  url: "../openapi.json",
  deepLinking: true,
  // The default asks a server of Swagger's to judge the document.
  validatorUrl: null,
});
