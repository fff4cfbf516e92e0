/** The names under which the Lambda runtime gives a function the credentials of its role. */
const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;

/**
 * Stands in for the SDK's credential chain in every bundle: profiles, single sign-on and instance metadata can
 * never apply in Lambda, and cost 80 KB and their share of each cold start.
 *
 * @throws Error, from the provider, where the environment holds no credentials
 */
export function defaultProvider() {
  return async () => {
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set, as they are in Lambda');
    }
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    };
  };
}
