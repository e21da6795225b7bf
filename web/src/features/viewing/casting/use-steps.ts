import { useEffect, useState } from 'react'

/** Maximum pause between consecutive presses that are sent as one change, in milliseconds. */
const ROW_MS = 400

/** How long a sent value is shown before the value that the screen reports replaces it, in milliseconds. */
const REPORT_MS = 1000

/** A value that the viewer changes in several steps. Only the last step is sent. */
export interface Steps {
  /** Changes the value while the viewer drags a slider. */
  drag(value: number): void
  /**
   * Changes the value by a press of a button. Further presses may follow, so the value is sent after a short
   * pause.
   */
  press(value: number): void
  /** Sends the value, because the viewer has released the slider. */
  release(): void
  /** Sends an unsent value, and stops the timer. */
  end(): void
  /** Replaces the function that sends the value. */
  sendBy(send: (value: number) => void): void
}

/**
 * Creates the steps of a value.
 *
 * @param show receives the value that the viewer has chosen; undefined when the screen's reported value applies
 * again
 */
export function createSteps(show: (value: number | undefined) => void): Steps {
  let send: ((value: number) => void) | undefined
  let wanted: number | undefined
  let isSent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const drag = (value: number) => {
    clearTimeout(timer)
    wanted = value
    isSent = false
    show(value)
  }
  const forget = () => {
    wanted = undefined
    show(undefined)
  }
  const release = () => {
    if (wanted === undefined || isSent) return
    clearTimeout(timer)
    isSent = true
    send?.(wanted)
    timer = setTimeout(forget, REPORT_MS)
  }
  return {
    drag,
    release,
    press: (value) => {
      drag(value)
      timer = setTimeout(release, ROW_MS)
    },
    end: () => {
      release()
      clearTimeout(timer)
    },
    sendBy: (next) => {
      send = next
    },
  }
}

/** Returns the {@link Steps} of a component, and the value that the viewer has chosen, if any. */
export function useSteps(send: (value: number) => void): { wanted: number | undefined; steps: Steps } {
  const [wanted, setWanted] = useState<number>()
  const [steps] = useState(() => createSteps(setWanted))
  useEffect(() => steps.sendBy(send))
  useEffect(() => () => steps.end(), [steps])
  return { wanted, steps }
}
