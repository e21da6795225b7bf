import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Custom properties are styles like others. */
    [name: `--${string}`]: string | number | undefined
  }
}
