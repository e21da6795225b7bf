/** What the types of texts are called, and what one text of each is called. */
export const editorialType = {
  articles: 'Articles',
  makingOf: 'Les coulisses',
  interview: 'Entretiens',
  festival: 'Festival',
  lifestyle: 'Art de vivre',
  disciplines: 'Disciplines',
  page: 'Pages',
  articleKind: 'Article',
  makingOfKind: 'Coulisses',
  interviewKind: 'Entretien',
  disciplineKind: 'Discipline',
  pageKind: 'Page',
}
