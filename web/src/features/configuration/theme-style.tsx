import type { Configuration } from '@ondine/contract/configuration'
import { useRouter } from '@tanstack/react-router'
import { themeStyleSheet } from '../../design/theme.ts'
import { useConfiguration } from './use-configuration.ts'

/** The sheet of each configuration, made once: the server draws many pages with the same one. */
const sheets = new WeakMap<Configuration, string>()

/**
 * The look that the operator has chosen (V3-48), in the head of the page before anything is drawn. Another configuration
 * changes the text of the same element, which keeps the nonce that let it in.
 */
export function ThemeStyle() {
  const configuration = useConfiguration()
  const nonce = useRouter().options.ssr?.nonce
  let sheet = sheets.get(configuration)
  if (sheet === undefined) {
    sheet = themeStyleSheet(configuration)
    sheets.set(configuration, sheet)
  }
  // Every value in it was written by the theme, which quotes what an operator wrote.
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet }} />
}
