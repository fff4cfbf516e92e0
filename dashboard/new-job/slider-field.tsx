import { Button, Group, Input, Slider, Text } from '@mantine/core';
import { useId } from 'react';
import { crfWord } from './crf-word.ts';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';

/** A number of a narrow range, with a word on what it means where there is one, and a way back to the recipe's own. */
export function SliderField({ parameter, value, error, onChange }: FieldProps) {
  const { name, label, description, defaultValue, minimum = 0, maximum = 100, step, required } = parameter;
  const id = useId();
  const isSet = typeof value === 'number';
  const own = typeof defaultValue === 'number' ? defaultValue : undefined;
  const shown = isSet ? value : (own ?? halfway(minimum, maximum, step));
  const said =
    isSet || own !== undefined ? `${shown}${name === 'crf' ? ` · ${crfWord(shown)}` : ''}` : 'Automatic';
  return (
    <Input.Wrapper
      label={
        <Group justify="space-between" gap="xs" mih={26}>
          <span id={id}>{label}</span>
          <Group gap="xs">
            <Text size="sm" fw={600} className="numbers" role="status">
              {said}
            </Text>
            {isSet && !required ? (
              <Button variant="default" size="compact-xs" onClick={() => onChange(undefined)}>
                {own === undefined ? 'Automatic' : 'Default'}
              </Button>
            ) : null}
          </Group>
        </Group>
      }
      labelElement="div"
      labelProps={{ style: { display: 'block' } }}
      description={description}
      error={error}
      inputWrapperOrder={inputWrapperOrder}
    >
      <Slider
        my={6}
        min={minimum}
        max={maximum}
        step={step}
        value={shown}
        onChange={onChange}
        label={null}
        thumbProps={{ 'aria-labelledby': id, 'aria-valuetext': said }}
      />
    </Input.Wrapper>
  );
}

function halfway(minimum: number, maximum: number, step: number): number {
  return minimum + Math.round((maximum - minimum) / 2 / step) * step;
}
