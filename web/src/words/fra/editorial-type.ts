/** What the types of texts are called. */
export const editorialType = {
  articles: 'Articles',
  makingOf: 'Les coulisses',
  interview: 'Entretiens',
  festival: 'Festival',
  lifestyle: 'Art de vivre',
  disciplines: 'Disciplines',
  page: 'Pages',
}
