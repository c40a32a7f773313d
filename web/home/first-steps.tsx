/** The start of an account without campaigns and keys. */
export const FirstSteps = () => (
  <div class="halves">
    <section class="card empty" aria-label="Advertise">
      <h2>Show your first ad</h2>
      <p>Describe what you offer and in which conversations, and set a budget. You pay for an ad when it is shown.</p>
      <a class="button primary" href="/campaigns/new">
        Start a campaign
      </a>
    </section>
    <section class="card empty" aria-label="Publish">
      <h2>Earn from your chat</h2>
      <p>Create a key, and show an ad where one fits. It reads the conversation, not the person.</p>
      <a class="button" href="/publisher">
        Create a key
      </a>
    </section>
  </div>
);
