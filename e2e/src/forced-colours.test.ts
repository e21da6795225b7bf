import { ROUTES, type RouteName } from '@ondine/web/routes'
import type { ElementHandle, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_NAMES, routeAddresses } from './addresses.ts'
import { signIn, visit } from './browser.ts'
import { findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Selectors of selected and switched-on elements. */
const CHOSEN = [
  '[aria-current]:not([aria-current="false"])',
  '[aria-pressed="true"]',
  '[aria-selected="true"]',
  '[data-selected]',
]
/** Number of screens in one test. Even a slow machine visits them in a small part of the test's time limit. */
const SCREENS_PER_TEST = 12
/** Smallest visible difference of a colour component. */
const SEEN = 60
/** Number of differing pixels from which an element counts as visibly different. The edge of a letter has fewer. */
const FEWEST_PIXELS = 24

type Element = ElementHandle<HTMLElement | SVGElement>

const SUBSCRIBER = 'subscriber@ondine.test'

describe('in the system’s forced colours', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let addresses: Record<RouteName, string>

  beforeAll(async () => {
    addresses = await routeAddresses(origin)
  })

  const parts = Array.from({ length: Math.ceil(ROUTE_NAMES.length / SCREENS_PER_TEST) }, (_, part) =>
    ROUTE_NAMES.slice(part * SCREENS_PER_TEST, (part + 1) * SCREENS_PER_TEST),
  ).map((names) => ({ names, first: names[0], last: names.at(-1) }))

  it.each(parts)(
    'selected elements look selected on every screen from $first to $last',
    async ({ names }) => {
      const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' })
      await signIn(page, SUBSCRIBER)
      const found: string[] = []
      for (const name of names.filter((each) => each !== 'player')) {
        await visit(page, addresses[name])
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          for (const fault of await chosenUnseen(page)) found.push(`${name} at ${width}: ${fault}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  it('selected elements look selected among suggestions and in the panels of the player', async () => {
    const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' })
    await signIn(page, SUBSCRIBER)
    await visit(page, ROUTES.home)
    await page.getByRole('button', { name: /^Ouvrir la recherche$/ }).click()
    await page.keyboard.type('houl')
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { selected: true }).waitFor()
    expect(await chosenUnseen(page)).toEqual([])
    await visit(page, `${ROUTES.player}?channel=${(await findChannel(origin, 'Rive')).idChannel}`)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Chaînes', exact: true }).click()
    await page.getByRole('dialog', { name: 'Chaînes' }).locator('[aria-current]').waitFor()
    expect(await chosenUnseen(page)).toEqual([])
  })

  it('progress is visible', async () => {
    const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' })
    await visit(page, ROUTES.live)
    const line = page.getByRole('progressbar').first()
    await line.waitFor()
    const [track, fill] = await line.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element.firstElementChild ?? element).backgroundColor,
    ])
    expect(fill).not.toBe(track)
  })
})

/** Finds selected elements whose screenshot does not change when the selection is removed. */
async function chosenUnseen(page: Page): Promise<string[]> {
  const seen = new Set<string>()
  const found: string[] = []
  // Uses element handles, because a locator depends on the mark that is removed.
  for (const each of await page.$$(CHOSEN.map((each) => `${each}:visible`).join())) {
    // Checks one element of each kind on a screen.
    const { kind, name } = await each.evaluate((element) => ({
      kind: `${element.tagName} ${element.getAttribute('class')}`,
      name: `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}”`,
    }))
    if (seen.has(kind) || !(await isShown(each))) continue
    seen.add(kind)
    if (!(await looksChosen(each))) found.push(`${name} does not look chosen`)
  }
  return found
}

/** Returns whether an element is visible and not only for screen readers. */
async function isShown(element: Element): Promise<boolean> {
  const box = await element.boundingBox()
  return box !== null && box.width > 4 && box.height > 4
}

/** Returns whether an element looks different without its mark of selection. */
async function looksChosen(element: Element): Promise<boolean> {
  // Scrolls the element to the middle, because on phones the tab bar covers the bottom of the window.
  await element.evaluate((chosen) => chosen.scrollIntoView({ block: 'center' }))
  const before = await element.screenshot({ animations: 'disabled' })
  const said = await element.evaluate((chosen) =>
    ['aria-current', 'aria-pressed', 'aria-selected', 'data-selected'].flatMap((name) => {
      const value = chosen.getAttribute(name)
      chosen.removeAttribute(name)
      return value === null ? [] : [[name, value] as const]
    }),
  )
  const after = await element.screenshot({ animations: 'disabled' })
  await element.evaluate((chosen, attributes) => {
    for (const [name, value] of attributes) chosen.setAttribute(name, value)
  }, said)
  return (await differing(before, after)) >= FEWEST_PIXELS
}

/** Counts the visibly differing pixels of two pictures; all pixels when their sizes differ. */
async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [one, other].map(async (picture) => await sharp(picture).removeAlpha().raw().toBuffer()),
  )
  if (first === undefined || second === undefined || first.length !== second.length)
    return Number.POSITIVE_INFINITY
  let count = 0
  for (let at = 0; at < first.length; at += 3) {
    const differs = [0, 1, 2].some(
      (part) => Math.abs((first[at + part] ?? 0) - (second[at + part] ?? 0)) > SEEN,
    )
    if (differs) count += 1
  }
  return count
}
