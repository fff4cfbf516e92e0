/** The Lambda runtime sets these to the credentials of the function's role, ECS the other two for the role of a task. */
const {
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
  AWS_CONTAINER_CREDENTIALS_FULL_URI,
} = process.env;

/** Where ECS serves the credentials of a task, for requests from its containers only. */
const containerHost = 'http://169.254.170.2';

/**
 * Replaces the SDK's credential chain in every bundle. Profiles, single sign-on and instance metadata never apply in
 * Lambda or on Fargate, and add 80 KB to each bundle and time to each cold start. The SDK caches credentials, and
 * requests new ones shortly before their expiration: those of a function outlive it, those of a task last some hours.
 *
 * @throws Error (from the provider) if the environment contains no credentials, or ECS does not answer
 */
export function defaultProvider() {
  const containerUrl = AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
    ? containerHost + AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
    : AWS_CONTAINER_CREDENTIALS_FULL_URI;
  return async () => {
    if (containerUrl) return containerCredentials(containerUrl);
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

/** As the Amazon ECS Developer Guide describes the answer ("Task IAM role"). */
type ContainerCredentials = { AccessKeyId: string; SecretAccessKey: string; Token: string; Expiration: string };

const maxAttempts = 4;

/** A request that fails once must not end hours of work: as the SDK's own provider, this one repeats it. */
async function containerCredentials(url: string, attempt = 1): ReturnType<typeof requestCredentials> {
  try {
    return await requestCredentials(url);
  } catch (error) {
    if (attempt === maxAttempts) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    return containerCredentials(url, attempt + 1);
  }
}

async function requestCredentials(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`The credentials of the task: ECS answered ${response.status}`);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = (await response.json()) as ContainerCredentials;
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: Token,
    expiration: new Date(Expiration),
  };
}
