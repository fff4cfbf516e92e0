export { dashboardClient, demoUser, localAudience, localIssuer } from './identity/demo-user.ts';
export { type IdentityProvider, startIdentityProvider } from './identity/server.ts';
