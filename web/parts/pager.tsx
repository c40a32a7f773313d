interface PagerProps {
  page: number;
  pages: number;
  says: string;
  onPage(page: number): void;
}

/** Page links. Renders nothing if there is only one page. */
export const Pager = ({ page, pages, says, onPage }: PagerProps) =>
  pages === 1 ? null : (
    <nav class="pager" aria-label="Pages">
      <button type="button" aria-disabled={page === 1} onClick={() => page > 1 && onPage(page - 1)}>
        Previous
      </button>
      <span aria-live="polite">{says}</span>
      <button type="button" aria-disabled={page === pages} onClick={() => page < pages && onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
