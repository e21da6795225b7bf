import { afterEach, describe, expect, it, vi } from 'vitest'
import { chosenPlanPath, rememberPlan } from './chosen-plan.ts'

/** Replaces the browser's storage by a fake. With `failing`, every access throws. */
function useStorage({ failing = false } = {}) {
  const kept = new Map<string, string>()
  const orFail = <Value>(value: Value): Value => {
    if (failing) throw new DOMException('refused', 'SecurityError')
    return value
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => orFail(kept.get(key) ?? null),
    setItem: (key: string, text: string) => orFail(kept.set(key, text)),
    removeItem: (key: string) => orFail(kept.delete(key)),
  })
  return kept
}

describe('the plan that was chosen during registration', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('A2.1-08 leads to the cart, until another or none is chosen', () => {
    const kept = useStorage()
    expect(chosenPlanPath()).toBe(undefined)
    rememberPlan([4])
    expect(chosenPlanPath()).toBe('/offers/cart?offerId=4')
    rememberPlan([4, 6])
    expect(new URLSearchParams(chosenPlanPath()?.split('?')[1]).get('offerId')).toBe('[4,6]')
    rememberPlan([])
    expect(chosenPlanPath()).toBe(undefined)
    expect(kept.size).toBe(0)
  })

  it.each(['', '{', 'null', '4', '{"0":4}', '["4"]', '[-4, 0.5, null]'])(
    'is none when %s is stored',
    (text) => {
      const kept = useStorage()
      rememberPlan([1])
      for (const key of kept.keys()) kept.set(key, text)
      expect(chosenPlanPath()).toBe(undefined)
    },
  )

  it('is not remembered by a browser without storage, and nothing else fails', () => {
    useStorage({ failing: true })
    rememberPlan([4])
    rememberPlan([])
    expect(chosenPlanPath()).toBe(undefined)
  })
})
