import type { Page } from 'playwright-core'
import { alive } from './browser.ts'

/** Computed styles of the parts on every screen of a layout, by name. */
export type Look = Record<string, Record<string, string>>

/** Follows an address inside the application, as a link does. No new document is loaded. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), address)
  await page.waitForFunction((to) => location.pathname === to, address)
  await alive(page)
}

/**
 * Returns the classes of a page's elements for which no style sheet of the page has a rule. The build gives a
 * class a name only if a style sheet has a rule for it. So each returned class means that a style sheet is
 * missing.
 */
export async function classesWithoutRules(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const selectors: string[] = []
    const collect = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) selectors.push(rule.selectorText)
        if ('cssRules' in rule) collect(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of document.styleSheets) collect(sheet.cssRules)
    const known = new Set(selectors.join(' ').match(/\.[\w-]+/g))
    const borne = new Set(
      [...document.body.querySelectorAll('[class]')].flatMap((each) => [...each.classList]),
    )
    return [...borne].filter((name) => /_[\w-]{5}$/.test(name) && !known.has(`.${name}`)).sort()
  })
}

/** Returns the look of the parts around a screen, and of its heading and buttons. */
export async function lookOf(page: Page): Promise<Look> {
  return await page.evaluate(() => {
    const properties = [
      'display',
      'position',
      'background-color',
      'color',
      'border-radius',
      'font-family',
      'font-size',
      'font-weight',
      'list-style-type',
      'padding-left',
      'padding-top',
    ]
    const parts = {
      bar: 'header',
      logo: 'header a svg, header a img',
      links: 'header ul',
      screen: 'main',
      heading: 'main h1',
      submit: 'main button[type=submit]',
      field: 'main input[type=email], main input[type=text]',
      foot: 'footer',
      list: 'footer ul',
    }
    const look: Record<string, Record<string, string>> = {}
    for (const [name, selector] of Object.entries(parts)) {
      const element = document.querySelector(selector)
      if (element === null) continue
      const style = getComputedStyle(element)
      look[name] = Object.fromEntries(properties.map((each) => [each, style.getPropertyValue(each)]))
      // Compares the width of the logo only, because the width of other parts depends on their content.
      if (name === 'logo') look[name].width = `${Math.round(element.getBoundingClientRect().width)}`
    }
    return look
  })
}

/** Returns in what the look `shown` differs from the look `wanted`, in words. */
export function differences(wanted: Look, shown: Look): string[] {
  return Object.entries(wanted).flatMap(([part, style]) => {
    const there = shown[part]
    if (there === undefined) return [`no ${part}`]
    return Object.entries(style)
      .filter(([property, value]) => there[property] !== value)
      .map(([property, value]) => `${part} has ${property} ${there[property]} instead of ${value}`)
  })
}
