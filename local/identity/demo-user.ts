/** The one user of the local identity provider. */
export const demoUser = { subject: 'demo', name: 'Demo User', email: 'demo@example.com' };

/**
 * Who the local provider says it is. It is the same at every port and every start, because the owner of all that the
 * demo user makes derives from it.
 */
export const localIssuer = 'http://identity.localhost';

/** The audience of its tokens: this API. */
export const localAudience = 'https://media-jobs.localhost';

/** The dashboard, as the provider knows it. */
export const dashboardClient = { id: 'dashboard', scope: 'openid profile email' };
