import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HealthChecks } from '../health/health-checks.js';

/**
 * Stops an app (R44): not ready at once, idle connections closed, requests in flight answered, then the modules' own shutdown.
 * Connections that are still busy at the deadline are cut.
 *
 * @returns whether everything ended by itself within `deadlineMs`
 */
export async function closeGracefully(app: NestFastifyApplication, health: HealthChecks, deadlineMs = 8_000): Promise<boolean> {
  health.startClosing();
  let cut = false;
  const timer = setTimeout(() => {
    cut = true;
    app.getHttpServer().closeAllConnections();
  }, deadlineMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
  return !cut;
}
