export type { GatewayResponse, PageHandler } from './http/gateway-response.ts';
export {
  type AdmittedPages,
  closeServer,
  interceptRequests,
  isLoopbackOrigin,
  listenOnLoopback,
  serveOnLoopback,
} from './http-server.ts';
