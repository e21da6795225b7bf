import styles from './waves.module.css'

/** Number of waves. They are drawn from the farthest to the nearest. */
const COUNT = 9
const WIDTH = 1600
const STEP = 40

/** The end colour of the waves' gradients: the sea fades into the page's surface. */
const GROUND = { stopColor: 'var(--surface-0)' }

/** A drawing of the sea at night, as the background of the sign-in form. */
export function Waves() {
  return (
    <svg
      className={styles.sea}
      viewBox={`0 0 ${WIDTH} 900`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <radialGradient id="glow" cx="82%" cy="38%" r="60%">
          <stop offset="0" stopColor="#f3d9a4" stopOpacity="0.55" />
          <stop offset="0.35" stopColor="#5f8f8f" stopOpacity="0.3" />
          <stop offset="1" style={GROUND} stopOpacity="0" />
        </radialGradient>
        <linearGradient id="sky" x2="0" y2="1">
          <stop offset="0" stopColor="#081220" />
          <stop offset="0.55" stopColor="#123a4c" />
          <stop offset="1" style={GROUND} />
        </linearGradient>
        <linearGradient id="deep" x2="0" y2="1">
          <stop offset="0" style={GROUND} stopOpacity="0" />
          <stop offset="1" style={GROUND} />
        </linearGradient>
      </defs>
      <rect width={WIDTH} height="900" fill="url(#sky)" />
      <rect width={WIDTH} height="900" fill="url(#glow)" />
      <circle className={styles.sun} cx="1320" cy="345" r="52" fill="#fff1d0" />
      {Array.from({ length: COUNT }, (_, index) => (
        <path
          key={index}
          className={styles.wave}
          d={wave(index)}
          fill={`rgb(${14 - index} ${66 - index * 6} ${84 - index * 7})`}
        />
      ))}
      <rect y="620" width={WIDTH} height="280" fill="url(#deep)" />
    </svg>
  )
}

/**
 * Returns the outline of a wave. Nearer waves are lower and rougher. The outline extends beyond the drawing by one
 * step on each side, so that its stroke is visible only along the crest.
 */
function wave(index: number): string {
  const height = 420 + index * 52
  const rough = 8 + index * 4
  const points = Array.from({ length: WIDTH / STEP + 3 }, (_, step) => {
    const x = (step - 1) * STEP
    const y =
      height + Math.sin(x / (170 + index * 13) + index * 2.1) * rough + Math.sin(x / 61 + index) * rough * 0.3
    return `${x} ${Math.round(y)}`
  })
  const floor = 900 + STEP
  return `M${-STEP} ${floor}L${points.join('L')}L${WIDTH + STEP} ${floor}Z`
}
