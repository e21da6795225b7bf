import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Lets `style` accept custom properties. */
    [name: `--${string}`]: string | number | undefined
  }
}
