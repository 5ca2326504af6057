// The page of --html, in Chromium without a window.
#include "Checked.h"

namespace samedevice::check {
namespace {

const std::string kTorch = "#include <torch/torch.h>\n";

class Page : public Checked {
protected:
  /// Loads the page, runs `script` in it, and gives what that has said() and what went wrong.
  Ran browse(const std::string &page, const std::string &script, const std::string &options = "") {
    write("driven.html", read(page) + R"(<script>
const told = [];
const said = text => told.push(String(text));
const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const type = (id, text) => { byId(id).value = text; byId(id).dispatchEvent(new Event('input')); };
addEventListener('error', event => said('error: ' + event.message));
addEventListener('load', () => {
  try { )" + script + R"( } catch (error) { said('error: ' + error); }
  const told_ = document.createElement('pre');
  told_.textContent = told.map(line => '[' + line + ']').join('\n');
  document.documentElement.replaceChildren(told_);
});
</script>)");
    return shell("$(command -v chromium || command -v chromium-browser || command -v google-chrome) --headless=new "
                 "--no-sandbox --disable-gpu --user-data-dir=browser --virtual-time-budget=2000 " +
                 options + " --dump-dom 'file://" + path("driven.html") + "' 2>/dev/null");
  }

  bool hasBrowser() const {
    return shell("command -v chromium || command -v chromium-browser || command -v google-chrome").status == 0;
  }
};

TEST_F(Page, IsOneFileThatAsksForNothing) {
  write("a.cpp", kTorch + "// </script><script>document.title = 'broken'</script>\n" + dropped());
  EXPECT_EQ(checkWithFlags("a.cpp --html=page.html").status, 1);
  const std::string page = read("page.html");
  EXPECT_NE(page.find("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""),
            std::string::npos);
  for (const char *more : {" src=", " href=", "@import", "url(", "// </script>"})
    EXPECT_EQ(page.find(more), std::string::npos) << more;
  EXPECT_TRUE(checkWithFlags("a.cpp --html=- 2>/dev/null").output.starts_with("<!doctype html>"));
}

TEST_F(Page, ShowsWhatIsAskedFor) {
  if (!hasBrowser())
    GTEST_SKIP() << "there is no Chromium";
  write("a.cpp", kTorch + dropped("a"));
  write("folder/b.cpp", kTorch + "// more\n" + dropped("b"));
  write("c.cpp", kTorch + "void f() {\n"
                          "  auto x = torch::zeros({2}, torch::kCUDA);\n"
                          "  auto y = torch::zeros({2});\n"
                          "  /* \xC3\xA4 */ auto z = x + y;\n}\n");
  checkWithFlags(". --html=page.html");
  const Ran ran = browse("page.html", R"(
    const state = () => said(byId('count').textContent + '; ' + byId('finding').querySelector('.where')?.textContent);
    state();
    press('j'); state();
    said(byId('finding').querySelector('mark').textContent);
    said([...document.querySelectorAll('.lane-name')].map(name => name.textContent));
    said(document.querySelectorAll('.story li').length + ' steps, ' + document.querySelectorAll('.clash').length + ' clash');
    said(document.querySelectorAll('.source svg path').length + ' pieces of path');
    press('j'); state();
    press('j'); press('k'); press('k'); state();
    press('/'); said(document.activeElement.id);
    type('words', 'FOLDER to'); state();
    press('j'); state();
    press('Escape'); state(); said(document.activeElement.id);
    type('check', 'device-discarded-to'); state();
    type('check', ''); type('file', 'c.cpp'); state();
    type('words', 'nothing like it'); said(byId('finding').textContent);
    press('Escape'); state();
    said(document.querySelector('.patch .added:last-of-type') !== null);
    said(byId('summary').textContent);
  )");
  std::string expected;
  for (const char *line :
       {"3 findings; a.cpp:2:27 · device-discarded-to", "3 findings; c.cpp:5:21 · device-mixed-operands", "x + y",
        "CPU,cuda:0", "3 steps, 1 clash", "4 pieces of path", "3 findings; folder/b.cpp:3:27 · device-discarded-to",
        "3 findings; a.cpp:2:27 · device-discarded-to", "words",
        "1 of 3 findings; folder/b.cpp:3:27 · device-discarded-to",
        "1 of 3 findings; folder/b.cpp:3:27 · device-discarded-to",
        "3 findings; folder/b.cpp:3:27 · device-discarded-to", "",
        "2 of 3 findings; folder/b.cpp:3:27 · device-discarded-to",
        "1 of 3 findings; c.cpp:5:21 · device-mixed-operands", "Nothing passes the filter.",
        "3 findings; a.cpp:2:27 · device-discarded-to", "true", "3 findings in 3 files"})
    expected += "[" + std::string(line) + "]\n";
  EXPECT_TRUE(ran.says(expected.substr(0, expected.size() - 1))) << ran.output << "\nexpected:\n" << expected;
}

TEST_F(Page, PaintsEveryWitness) {
  if (!hasBrowser())
    GTEST_SKIP() << "there is no Chromium";
  shell(SAMEDEVICE " merge " WITNESSES "/*.json --html=page.html");
  const Ran ran = browse("page.html", R"(
    const names = new Set();
    data.findings.forEach((finding, index) => {
      choose(index);
      finding.steps.forEach(step => names.add(step.do));
      const picture = document.querySelector('.story');
      const words = picture.outerHTML;
      const where = finding.check + ': ' + finding.message;
      if (picture.querySelectorAll('.clash').length !== 1) said('no clash: ' + where);
      for (const wrong of ['undefined', 'NaN', 'null', '[object'])
        if (words.includes(wrong)) said(wrong + ': ' + where + words);
      for (const row of picture.querySelectorAll('li'))
        if (finding.steps.some(step => row.textContent === step.do)) said('no words for ' + row.textContent);
    });
    said(data.findings.length >= 20 && names.size >= 18 ? 'painted' : data.findings.length + ' ' + [...names]);
  )");
  EXPECT_TRUE(ran.says("<pre>[painted]</pre>")) << ran.output;
}

TEST_F(Page, IsDarkWhereTheSystemIs) {
  if (!hasBrowser())
    GTEST_SKIP() << "there is no Chromium";
  write("a.cpp", kTorch);
  checkWithFlags("a.cpp --html=page.html");
  const std::string script = R"(
    const light = () => getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' ? 'light' : 'dark';
    said(light()); byId('theme').click(); said(light()); said(byId('finding').textContent);)";
  EXPECT_TRUE(browse("page.html", script).says("[light]\n[dark]\n[Nothing was found.]"));
  EXPECT_TRUE(browse("page.html", script, "--blink-settings=preferredColorScheme=0").says("[dark]\n[light]"));
}

} // namespace
} // namespace samedevice::check
