import type { FastifyRequest } from 'fastify';

/** A proxy, or another service of Sluice's, says by one of them that the peer is not the caller. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/** Whether a request comes from this machine: its peer is here, and it does not say that somebody brought it from elsewhere. */
export function isLocalCaller({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  return isLoopback(ip) && !FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(ip);
}
