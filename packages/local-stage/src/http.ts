export type { GatewayResponse, PageHandler } from './http/gateway-response.ts';
export { closeServer, interceptRequests, listenOnLoopback } from './http-server.ts';
export { type AdmittedPages, isLoopbackOrigin, serveOnLoopback } from './own-requests.ts';
