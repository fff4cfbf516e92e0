import { Progress, Stack, Text } from '@mantine/core';
import { formatLimit, limitTitle } from '@media-jobs/cli/formatting';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';

/** The limits of the account, each with its use beside it. A team has none. */
export function OwnerLimits() {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['limits'],
    queryFn: async ({ signal }) => (await client.getLimits({ signal })).limits,
  });
  const { data, error } = query;
  if (error === null && data?.length === 0) return null;
  return (
    <Section title="Limits">
      <LoadProblem of="limits" query={query} />
      <Stack gap="md">
        {data?.map(({ limit, value, use }) => (
          <div key={limit}>
            <Text size="sm" className="numbers">
              {limitTitle(limit)}: {use === null ? 'at most' : `${formatLimit(limit, use)} of`}{' '}
              {formatLimit(limit, value)}
            </Text>
            {use === null ? null : (
              <Progress
                mt={4}
                value={value === 0 ? 100 : Math.min(100, (100 * use) / value)}
                aria-label={limitTitle(limit)}
              />
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}
