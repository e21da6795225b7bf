import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './tooltip.module.css'

/** Explains an icon in a word or two, on hover and on keyboard focus. Touch never shows the tooltip. */
export function Tooltip({
  text,
  children,
}: {
  text: string
  /** A `Button`. Its accessible name must equal the tooltip's text. */
  children: ReactNode
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip className={styles.tooltip ?? ''} offset={10}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
