import { Label } from 'react-aria-components/Label'
import { Slider as AriaSlider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import styles from './slider.module.css'

/** A slider for an approximate value, such as a volume or a size. */
export function Slider({
  label,
  value,
  min = 0,
  max = 100,
  step = 1,
  isDisabled = false,
  format,
  onChange,
}: {
  label: string
  value: number
  min?: number
  max?: number
  step?: number
  isDisabled?: boolean
  /** Format of the value, as for `Intl.NumberFormat`. */
  format?: Intl.NumberFormatOptions
  onChange: (value: number) => void
}) {
  return (
    <AriaSlider
      className={styles.slider ?? ''}
      value={value}
      minValue={min}
      maxValue={max}
      step={step}
      isDisabled={isDisabled}
      onChange={(next) => onChange(Array.isArray(next) ? (next[0] ?? min) : next)}
      {...(format === undefined ? {} : { formatOptions: format })}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <SliderOutput className={styles.output ?? ''} />
      <SliderTrack className={styles.track ?? ''}>
        {({ state }) => (
          <>
            <span className={styles.line} />
            <span className={styles.fill} style={{ width: `${state.getThumbPercent(0) * 100}%` }} />
            <SliderThumb className={styles.thumb ?? ''} />
          </>
        )}
      </SliderTrack>
    </AriaSlider>
  )
}
