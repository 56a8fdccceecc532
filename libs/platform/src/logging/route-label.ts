/**
 * A route's template as people read it, for labels and logs: Fastify's `/v1/rules/:rule_id(^[^/:]+)::rollback` is `/v1/rules/:rule_id:rollback`.
 *
 * @param url Fastify's template; undefined where no route was met
 */
export function routeLabel(url: string | undefined): string {
  if (url === undefined) return 'unmatched';
  return url.includes('::') || url.includes('(') ? url.replaceAll(/(:\w+)\([^)]*\)/g, '$1').replaceAll('::', ':') : url;
}
