import { useEffect, useState } from 'react'

/** Presses with shorter pauses than this count as one row, in milliseconds. */
const ROW_MS = 400

/** How long a sent value is shown until the screen reports it, in milliseconds. */
const REPORT_MS = 1000

/** A value that the viewer changes in several steps. Only the last one is sent. */
export interface Steps {
  /** Changes the value while the viewer drags it. */
  drag(value: number): void
  /** Changes the value by a press of a button, which may be the first of several. */
  press(value: number): void
  /** Sends the value, because the viewer has released it. */
  release(): void
  /** Sends the value, and forgets it. */
  end(): void
  /** Replaces the function that sends the value. */
  sendBy(send: (value: number) => void): void
}

/**
 * Creates the steps of a value.
 *
 * @param show receives the value that the viewer wants; undefined once the screen has reported it
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

/** Returns {@link Steps} of a component, and the value that the viewer wants, if any. */
export function useSteps(send: (value: number) => void): { wanted: number | undefined; steps: Steps } {
  const [wanted, setWanted] = useState<number>()
  const [steps] = useState(() => createSteps(setWanted))
  useEffect(() => steps.sendBy(send))
  useEffect(() => () => steps.end(), [steps])
  return { wanted, steps }
}
