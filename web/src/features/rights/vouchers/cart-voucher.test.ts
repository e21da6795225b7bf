// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { PlaceProvider } from '../../../words/place.tsx'
import { CartVoucher } from './cart-voucher.tsx'
import type { Voucher } from './try-voucher.ts'

const VOUCHER: Voucher = { code: 'ONDINE-20', promotions: [] }

let root: Root
let summary: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  summary = document.body.appendChild(document.createElement('div'))
  root = createRoot(summary)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(voucher: Voucher | undefined): Promise<HTMLButtonElement | null> {
  const cart = { isSubmitted: false, voucher, refusal: undefined, parentalProof: undefined }
  const children = createElement(CartVoucher, { cart, discountCents: 120, onChange: () => {} })
  const place = { language: 'fra' as const, timeZone: 'Europe/Paris', dateFormat: 'D MMMM YYYY', children }
  const page = createElement(PlaceProvider, place)
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, page)))
  return summary.querySelector('button')
}

test('A2.3-14 the focus stays at the voucher after its code is applied, and after it is removed', async () => {
  const enter = await show(undefined)
  await act(async () => enter?.focus())
  const remove = await show(VOUCHER)
  expect(remove).not.toBe(enter)
  expect(document.activeElement).toBe(remove)
  const again = await show(undefined)
  expect(document.activeElement).toBe(again)
})
