import type { Page } from 'playwright-core'

/**
 * Returns the declarations with variables that the browser does not understand once the variables are substituted.
 * The browser drops such a declaration without a warning. Leaves out declarations whose variables are set only on
 * elements.
 */
export async function unknownStyles(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const root = getComputedStyle(document.documentElement)
    const found: string[] = []
    const filled = (value: string, own: CSSStyleDeclaration): string | undefined => {
      let text = value
      for (let step = 0; step < 50 && text.includes('var('); step++) {
        let isKnown = true
        text = text.replace(/var\((--[\w-]+)\)/, (_all, name: string) => {
          const known = own.getPropertyValue(name) || root.getPropertyValue(name)
          isKnown = known !== ''
          return known
        })
        if (!isKnown) return undefined
      }
      return text.includes('var(') ? undefined : text
    }
    const look = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule)
          // Reads the declarations from the text. In the object model, the longhands of a shorthand with variables
          // are empty.
          for (const [, name = '', value = ''] of rule.style.cssText.matchAll(/([\w-]+):\s*([^;]+);/g)) {
            if (name.startsWith('--') || !value.includes('var(')) continue
            const text = filled(value, rule.style)
            if (text !== undefined && !CSS.supports(name, text.replace('!important', '')))
              found.push(`${rule.selectorText} ${name}: ${text}`)
          }
        if ('cssRules' in rule) look(rule.cssRules as CSSRuleList)
      }
    }
    for (const sheet of document.styleSheets) look(sheet.cssRules)
    return found
  })
}
