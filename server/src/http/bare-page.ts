import type { Language } from '@ondine/contract/languages'
import * as eng from '@ondine/web/words/eng'
import * as fra from '@ondine/web/words/fra'

/**
 * Returns the error page for the case that the web application cannot render its own (V2.4-24): a sentence, a link
 * to retry and a link home. The page needs no script, no style sheet and no database. The first link has the
 * focus, because a television's remote cannot move the focus without a script.
 */
export function barePage(language: Language, code: number): string {
  const french = language === 'fra'
  const { errors } = french ? fra : eng
  return `<!doctype html>
<html lang="${french ? 'fr' : 'en'}" style="color-scheme:dark">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${errors.title}</title>
<body style="margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;gap:12px;padding:24px;box-sizing:border-box;background:#080b10;color:#f3f6f9;font:17px/1.5 system-ui,sans-serif;text-align:center">
<h1 style="margin:0;font-size:32px">${errors.title}</h1>
<p style="margin:0">${errors.retryText}</p>
<p style="margin:0;color:#8593a3">${errors.code} ${code}</p>
<p><a href="" autofocus style="color:#8fe9d6">${errors.retry}</a> · <a href="/" style="color:#8fe9d6">${errors.back}</a></p>
`
}
