import { Button, Group, Input, Slider, Text } from '@mantine/core';
import { useId } from 'react';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import classes from './new-job.module.css';
import { valueLabel } from './parameter.ts';

/** A number in a narrow range, with a button that restores the default. */
export function SliderField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, defaultValue, minimum = 0, maximum = 100, step, required } = parameter;
  const id = useId();
  const isSet = typeof value === 'number';
  const recipeDefault = typeof defaultValue === 'number' ? defaultValue : undefined;
  const position = isSet ? value : (recipeDefault ?? minimum + Math.round((maximum - minimum) / 2 / step) * step);
  const isAutomatic = !isSet && recipeDefault === undefined;
  const valueText = valueLabel(position, parameter);
  const labelled = valueText === undefined ? String(position) : `${position} · ${valueText}`;
  const text = isAutomatic ? 'Automatic' : isSet ? labelled : `Default: ${labelled}`;
  return (
    <Input.Wrapper
      label={
        <Group justify="space-between" gap="xs" mih={26}>
          <span id={id}>{label}</span>
          <Group gap="xs">
            <Text size="sm" fw={600} className="numbers" role="status">
              {text}
            </Text>
            {isSet && !required ? (
              <Button variant="default" size="compact-xs" onClick={() => onChange(undefined)}>
                {recipeDefault === undefined ? 'Automatic' : 'Default'}
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
        value={position}
        onChange={onChange}
        label={null}
        // Nothing was chosen: the thumb stands for the default, or for nothing.
        data-unset={!isSet || undefined}
        className={classes.slider}
        thumbProps={{ 'aria-labelledby': id, 'aria-valuetext': text }}
      />
    </Input.Wrapper>
  );
}
