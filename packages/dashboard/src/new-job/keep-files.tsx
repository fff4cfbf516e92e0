import { NativeSelect } from '@mantine/core';

type Props = {
  /** As in the request: null until the job is deleted. */
  keepDays: number | null | undefined;
  error?: string | undefined;
  /** The label of no choice. */
  unset?: string;
  onChange: (keepDays: number | null | undefined) => void;
};

const usualDays = [1, 7, 30, 90, 365];

export function KeepFiles({ keepDays, error, unset = 'Default of the service', onChange }: Props) {
  const days = [...new Set([...usualDays, keepDays ?? 1])].toSorted((one, other) => one - other);
  return (
    <NativeSelect
      label="Keep files"
      description="From the end of the job on. You can download the files until then."
      error={error}
      value={keepDays === null ? 'null' : (keepDays ?? '')}
      data={[
        { value: '', label: unset },
        ...days.map((each) => ({ value: String(each), label: each === 1 ? '1 day' : `${each} days` })),
        { value: 'null', label: 'Until the job is deleted' },
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === '' ? undefined : (JSON.parse(value) as number | null))
      }
    />
  );
}
