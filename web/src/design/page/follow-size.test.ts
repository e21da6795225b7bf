import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followSize } from './follow-size.ts'

const WEB = join(import.meta.dirname, '../..')

test('sizes are observed only by followSize, which never causes “ResizeObserver loop”', () => {
  const observers = globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bnew ResizeObserver\b/.test(readFileSync(join(WEB, file), 'utf8')))
  expect(observers).toEqual(['design/page/follow-size.ts'])
})

describe('followSize', () => {
  const changed = vi.fn()
  /** Pending callbacks for animation frames, by handle. */
  const frames = new Map<number, () => void>()
  let observed: readonly Element[] = []
  let resize: () => void = () => {}

  /** Runs the callbacks of the next animation frame. */
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

  // Empty objects suffice, because `followSize` reads no property of an element.
  const [one, other] = [{} as Element, {} as Element]

  test('reports a change in the next frame, never while the browser reports sizes', () => {
    followSize([one, other], changed)
    expect(observed).toEqual([one, other])
    resize()
    expect(changed).not.toHaveBeenCalled()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(1)
  })

  test('reports all changes before a frame once, and a later change again', () => {
    followSize([one], changed)
    resize()
    resize()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(1)
    resize()
    drawFrame()
    expect(changed).toHaveBeenCalledTimes(2)
  })

  test('reports nothing after it is stopped, not even an earlier change', () => {
    const end = followSize([one], changed)
    resize()
    end()
    drawFrame()
    expect(changed).not.toHaveBeenCalled()
    expect(observed).toEqual([])
  })
})
