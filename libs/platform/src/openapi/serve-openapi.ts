import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** Serves the document at `/openapi.json`, and Swagger UI with its own assets at `/docs` (R63). */
export function serveOpenApi(app: NestFastifyApplication, document: () => OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: '/openapi.json',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
