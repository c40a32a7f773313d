/** The viewer, as its own script makes it known. */
declare const SwaggerUIBundle: (options: object) => unknown;

SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list' });
