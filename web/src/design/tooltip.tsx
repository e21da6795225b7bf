import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './tooltip.module.css'

/** What an icon means, in a word or two, for who points at it or comes to it with the keyboard. Touch never sees it. */
export function Tooltip({
  text,
  children,
}: {
  text: string
  /** A `Button` that has the same text as its name. */
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
