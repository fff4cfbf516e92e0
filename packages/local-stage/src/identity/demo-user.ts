/** The one user of the local identity provider. */
export const demoUser = { subject: 'demo', name: 'Demo User', email: 'demo@example.com' };

/** Issuer of the local provider. It is independent of the port, because the owner id of the demo user derives from it. */
export const localIssuer = 'http://identity.localhost';

/** Audience of the access tokens. */
export const localAudience = 'https://media-jobs.localhost';

export const dashboardClient = { id: 'dashboard', scope: 'openid profile email' };
