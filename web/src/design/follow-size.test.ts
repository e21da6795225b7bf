import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followSize } from './follow-size.ts'

const WEB = join(import.meta.dirname, '..')

test('sizes are followed in one way, which never reports “ResizeObserver loop”', () => {
  const observers = globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bnew ResizeObserver\b/.test(readFileSync(join(WEB, file), 'utf8')))
  expect(observers).toEqual(['design/follow-size.ts'])
})

describe('followSize', () => {
  const changed = vi.fn()
  /** Frames that were asked for and are still to come, by their handles. */
  const frames = new Map<number, () => void>()
  let observed: readonly Element[] = []
  let resize: () => void = () => {}

  /** Draws the next frame. */
  function drawFrame(): void {
    const due = [...frames.values()]
    frames.clear()
    for (const draw of due) draw()
  }

  beforeEach(() => {
    changed.mockClear()
    frames.clear()
    observed = []
    let handles = 0
    vi.stubGlobal('requestAnimationFrame', (draw: () => void) => {
      handles += 1
      frames.set(handles, draw)
      return handles
    })
    vi.stubGlobal('cancelAnimationFrame', (handle: number) => frames.delete(handle))
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(tell: () => void) {
          resize = tell
        }
        observe(element: Element): void {
          observed = [...observed, element]
        }
        disconnect(): void {
          observed = []
        }
      },
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  // Stands for elements, of which followSize reads nothing.
  const [one, other] = [{} as Element, {} as Element]

  test('tells of a change in the next frame, never while the browser tells sizes', () => {
    followSize([one, other], changed)
    expect(observed).toEqual([one, other])
    resize()
    expect(changed).not.toHaveBeenCalled()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(1)
  })

  test('tells once of all changes before a frame, and again of a change after it', () => {
    followSize([one], changed)
    resize()
    resize()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(1)
    resize()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(2)
  })

  test('tells nothing any more once it is ended, not even of a change before that', () => {
    const end = followSize([one], changed)
    resize()
    end()
    drawFrame()
    expect(changed).not.toHaveBeenCalled()
    expect(observed).toEqual([])
  })
})
